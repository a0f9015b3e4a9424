import CCases
import CScan
import CYajlAlone
@testable import StreamMap
print(String(cString: sm_scan_implementation()))
