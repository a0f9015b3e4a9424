//! The same digest as all contenders make: see Digest.swift.

pub trait Record {
    fn add(&self, builder: &mut Builder);
}

pub struct Builder {
    hashes: bool,
    pub count: u64,
    integers: u64,
    doubles: f64,
    bits: u64,
    text_bytes: usize,
    texts: u64,
}

impl Builder {
    pub fn new(hashes: bool) -> Self {
        Builder { hashes, count: 0, integers: 0, doubles: 0.0, bits: 0, text_bytes: 0, texts: 0 }
    }

    pub fn integer(&mut self, value: i64, salt: u64) {
        self.integers = self.integers.wrapping_add((value as u64).wrapping_mul(salt));
    }

    pub fn double(&mut self, value: f64) {
        self.doubles += value;
        self.bits = self.bits.wrapping_add(value.to_bits());
    }

    pub fn text(&mut self, value: &str, salt: u64) {
        self.text_bytes += value.len();
        if self.hashes {
            let mut hash = 0xcbf2_9ce4_8422_2325 ^ salt;
            for &byte in value.as_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            self.texts = self.texts.wrapping_add(hash);
        }
    }

    pub fn json(&self, wall: f64, cpu: f64) -> String {
        format!(
            "{{\"wall\":{wall},\"cpu\":{cpu},\"count\":{},\"integers\":{},\"doubles\":{:?},\
             \"bits\":{},\"textBytes\":{},\"texts\":{}}}",
            self.count, self.integers, self.doubles, self.bits, self.text_bytes, self.texts
        )
    }
}
