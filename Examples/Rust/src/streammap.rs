//! A safe face of those functions of `streammap.h` that this example uses.

use std::ffi::{c_void, CStr, CString};
use std::fmt;
use std::io::{self, Read};
use std::os::raw::{c_char, c_int};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

/// The declarations of `streammap.h`, by hand: bindgen would write the same.
mod c {
    use super::*;

    #[repr(C)]
    pub struct Error {
        pub code: *const c_char,
        pub message: *const c_char,
        pub path: *const c_char,
        pub record: i64,
        pub offset: i64,
        pub end: i64,
        pub line: i64,
        pub column: i64,
        pub json: *const c_char,
    }

    #[repr(C)]
    pub struct Counts {
        pub mapped: i64,
        pub rejected: i64,
        pub dropped: i64,
        pub bytes: i64,
    }

    pub type Reject = extern "C" fn(*mut c_void, *const Error) -> c_int;

    extern "C" {
        pub fn streammap_error_free(error: *mut Error);
        pub fn streammap_mapping_open_file(path: *const c_char, options: *const c_char, error: *mut *mut Error) -> *mut c_void;
        pub fn streammap_mapping_close(mapping: *mut c_void);
        pub fn streammap_feed_open_file(mapping: *const c_void, path: *const c_char, error: *mut *mut Error) -> *mut c_void;
        pub fn streammap_feed_close(feed: *mut c_void);
        pub fn streammap_feed_on_reject(feed: *mut c_void, reject: Reject, context: *mut c_void);
        pub fn streammap_feed_read(feed: *mut c_void, buffer: *mut c_void, size: usize, error: *mut *mut Error) -> i64;
        pub fn streammap_feed_counts(feed: *const c_void) -> Counts;
    }
}

/// What went wrong, and where.
#[derive(Debug)]
pub struct Error {
    pub code: String,
    pub message: String,
    /// From 1; 0 if there is none.
    pub record: i64,
    pub line: i64,
}

impl Error {
    /// # Safety
    /// The error is valid during the call.
    unsafe fn copy(error: *const c::Error) -> Error {
        let text = |text: *const c_char| {
            if text.is_null() {
                return String::new();
            }
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        Error { code: text((*error).code), message: text((*error).message), record: (*error).record, line: (*error).line }
    }

    /// # Safety
    /// A function of the library gave the error to its caller.
    unsafe fn take(error: *mut c::Error) -> Error {
        let copy = Error::copy(error);
        c::streammap_error_free(error);
        copy
    }

    fn zero_byte(text: &str) -> Error {
        Error { code: "usage".into(), message: format!("{text:?} has a zero byte"), record: 0, line: 0 }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

fn text(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::zero_byte(text))
}

/// A compiled mapping. It never changes, so threads may share it.
pub struct Mapping(*mut c_void);

unsafe impl Send for Mapping {}
unsafe impl Sync for Mapping {}

impl Mapping {
    /// `options` is a JSON object, as `streammap.h` says.
    pub fn open(path: &str, options: &str) -> Result<Mapping, Error> {
        let (path, options) = (text(path)?, text(options)?);
        let mut error = ptr::null_mut();
        let mapping = unsafe { c::streammap_mapping_open_file(path.as_ptr(), options.as_ptr(), &mut error) };
        if mapping.is_null() {
            return Err(unsafe { Error::take(error) });
        }
        Ok(Mapping(mapping))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        unsafe { c::streammap_mapping_close(self.0) }
    }
}

/// The output records of a feed: each is a line of JSON. `rejected` gets each record that cannot be mapped.
pub struct Feed<F: FnMut(Error)> {
    feed: *mut c_void,
    // The library holds its address, so it is no Box, which would have to be the only one who does.
    rejected: *mut F,
}

impl<F: FnMut(Error)> Feed<F> {
    pub fn open(mapping: &Mapping, path: &str, rejected: F) -> Result<Feed<F>, Error> {
        let path = text(path)?;
        let mut error = ptr::null_mut();
        let feed = unsafe { c::streammap_feed_open_file(mapping.0, path.as_ptr(), &mut error) };
        if feed.is_null() {
            return Err(unsafe { Error::take(error) });
        }
        let rejected = Box::into_raw(Box::new(rejected));
        unsafe { c::streammap_feed_on_reject(feed, reject::<F>, rejected.cast()) };
        Ok(Feed { feed, rejected })
    }

    /// How many records were mapped so far, and how many were not.
    pub fn counts(&self) -> (i64, i64) {
        let counts = unsafe { c::streammap_feed_counts(self.feed) };
        (counts.mapped, counts.rejected)
    }
}

/// A panic must not go through the frames of another language: it ends the feed instead.
extern "C" fn reject<F: FnMut(Error)>(context: *mut c_void, error: *const c::Error) -> c_int {
    let call = AssertUnwindSafe(|| unsafe { (*context.cast::<F>())(Error::copy(error)) });
    c_int::from(catch_unwind(call).is_err())
}

impl<F: FnMut(Error)> Read for Feed<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut error = ptr::null_mut();
        let count = unsafe { c::streammap_feed_read(self.feed, buffer.as_mut_ptr().cast(), buffer.len(), &mut error) };
        if count < 0 {
            return Err(io::Error::new(io::ErrorKind::Other, unsafe { Error::take(error) }));
        }
        Ok(count as usize)
    }
}

impl<F: FnMut(Error)> Drop for Feed<F> {
    fn drop(&mut self) {
        unsafe {
            c::streammap_feed_close(self.feed);
            drop(Box::from_raw(self.rejected));
        }
    }
}
