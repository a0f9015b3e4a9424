"""Names, texts, numbers and patterns that mappings and feeds are drawn from."""
import json

NAMES = ["id", "a", "b", "name", "user", "x y", "a.b", "é", "it's", "名", "q\"", "A-1", "_", "0", "count", "st", "when",
         "tags", "items", "k1", "k2", "k3", "k4", "$", "..", "\U0001f600", "z" * 40, "e\u0301", "K", "\u212a", "\ufb01", "\uac00",
         "\u1100\u1161", "a\ufeffb", ""]
# Texts that are equal canonically, or look alike, and yet are two: by code points.
ALIKE = {}
for texts in (["é", "e\u0301"], ["K", "\u212a"], ["\uac00", "\u1100\u1161"], ["\ufb01", "fi"], ["a\ufeffb", "ab"]):
    for text in texts:
        ALIKE[text] = [other for other in texts if other != text]
TEXTS = ["", "a", "abc", "AB", "A1", "ABC-12", "x y", " lead", "é", "名前", "\U0001f600", "tab\there", "line\nbreak", 'q"q',
         "back\\slash", "/", "\u2028", "0", "12", "007", "yes", "TRUE", "null", "a,b,c", "ab_cd", "in 12 steps", "z" * 70,
         "e\u0301", "K", "\u212a", "\ufb01", "fi", "\uac00", "\u1100\u1161", "a\ufeffb", "ab", "ΟΔΟΣ", "Σ", "ΑΣ\u0301 ΣΑ"]
PATTERNS = ["[A-Z]{2}", "[A-Z]*", r"\d+", "[a-z ]+", r".*\w", "a|abc", "(a|b)*c?", "[^0-9]*", r"\w+[-_]\w+", "", ".", "é+"]
INTEGERS = ["0", "1", "-1", "7", "7.0", "70e-1", "1e2", "100", "-0", "127", "-128", "255", "12", "3", "0.0", "0e5"]
LARGE = ["32767", "65535", "2147483647", "-2147483648", "4294967295", "9007199254740993", "9223372036854775807",
         "-9223372036854775808", "18446744073709551615", "1e18"]
FRACTIONS = ["0.5", "1.50", "-2.25", "9.90", "0.1", "1e-3", "3.141592653589793238", "1E+2", "0.30000000000000004", "19.99",
             "123456789.123456789"]
HUGE = ["1e300", "1.7976931348623157e308", "-1e-320", "3.4028235e38", "12345678901234567890123456789012345678",
        "1e127", "1e-128", "99999999999999999999999999999999999999.5"]
URLS = ["http://a.b/c", "https://x.example/p?q=1#f", "/t.png", "mailto:a@b.c", "HTTP://A.B", "//host/path", "?q", "a/b",
        "http://a.b/%20", "http://[::1]:80/", "ftp://u:p@h/", "a b", "%zz", "http://a.b/é", "<x>", "#a#b", "http://x:8a/"]
UUIDS = ["01234567-89ab-cdef-0123-456789abcdef", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
         "01234567-89AB-cdef-0123-456789ABCDEF", "0123456789abcdef0123456789abcdef", "g1234567-89ab-cdef-0123-456789abcdef"]
RFC3339 = ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.5+01:00", "1999-12-31t23:59:59.123z", "2016-12-31T23:59:60Z",
           "0001-01-01T00:00:00Z", "2024-02-29T00:00:00-08:00", "2026-11-21T09:30:00.123456789Z", "9999-12-31T23:59:59Z",
           "2023-02-29T00:00:00Z", "2026-11-21 09:30:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:30:00+0100"]
RFC822 = ["Sat, 21 Nov 2026 09:30:00 GMT", "21 Nov 26 09:30", "1 jan 1970 00:00:00 +0100", "Sun, 21 Nov 2026 09:30:00 GMT",
          "21 Nov 2026 09:30 PDT", "31 Apr 2026 09:30", "21 Nov 2026 9:30"]
DOTNET = ["/Date(1390186634595)/", "/Date(-5+0800)/", "/date(0)/", "/Date()/", "/Date(1390186634595)"]
# Patterns, each with texts.
DATE_PATTERNS = {
    "yyyy-MM-dd": ["2026-11-21", "2024-02-29", "2023-02-29", "0000-01-01", "2026-1-2", "2026-13-01"],
    "dd/MM/yyyy HH:mm": ["21/11/2026 09:30", "29/03/2026 02:30", "25/10/2026 02:30", "01/07/2026 00:00", "21/11/2026 9:30"],
    "d/M/yy": ["1/2/49", "01/12/50", "31/4/20", "9/9/99"],
    "yyyyMMddHHmmss": ["20261121093000", "20261121246000", "19700101000000"],
    "EEE, d MMM yyyy": ["Sat, 21 Nov 2026", "sat, 21 nov 2026", "Sun, 21 Nov 2026"],
    "MMMM d, yyyy h:mm a": ["November 2, 2026 12:05 PM", "november 2, 2026 1:05 am", "November 2, 2026 0:05 AM"],
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX": ["2026-11-21T09:30:00.123+01:00", "2026-11-21T09:30:00.000Z", "2026-11-21T09:30:00.12Z"],
    "yyyy-MM-dd HH:mm:ss Z": ["2026-11-21 09:30:00 +0100", "2026-11-21 09:30:00 Z"],
    "HH:mm": ["09:30", "24:00", "23:59"],
}
NUMERIC = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "decimal", "number"]


ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC", "Australia/Lord_Howe"]
EXTRACTS = [r"\d+", r"in (\d+) steps", r"(\w)(\w)", r"([A-Z]+)-?", r"a(b)?c?", r"^\s*(\S+)", r"[^,]+$", "(é|a)", r"(?P<y>\d{4})-"]
GROUPS = [r"(?<verb>\w+) (?<n>\d+)", r"(?P<a>[a-z]+)(?P<b>\d+)?", r"(?<n>\d+)", r"(?<first>.)(?<rest>.*)"]


def listed(value):
    return value if isinstance(value, list) else [value]


def strings(texts):
    return [json.dumps(text, ensure_ascii=False) for text in texts]
