//! Asks pkg-config where the library is. The crate `pkg-config` does the same and more; this example needs nothing but the compiler.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let output = Command::new("pkg-config").args(["--libs", "streammap"]).output().expect("pkg-config is needed");
    if !output.status.success() {
        panic!("{}", String::from_utf8_lossy(&output.stderr));
    }
    for option in String::from_utf8_lossy(&output.stdout).split_whitespace() {
        if let Some(folder) = option.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = option.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={library}");
        } else {
            println!("cargo:rustc-link-arg={option}");
        }
    }
}
