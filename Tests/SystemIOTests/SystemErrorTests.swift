import Glibc
import SystemIO
import Testing

@Suite struct SystemErrorTests {
  @Test(arguments: [
    (ENOENT, "No such file or directory"), (ENOSPC, "No space left on device"), (EACCES, "Permission denied"),
    (12345, "unknown error"),
  ])
  func `an error number reads as the C library says`(code: Int32, text: String) {
    #expect(Errno(code: code).text == text)
  }

  @Test func `only EFAULT is a bad address`() {
    #expect(Errno(code: EFAULT).isBadAddress)
    #expect(!Errno(code: EIO).isBadAddress)
  }

  @Test func `an error has a number only when a call failed`() throws {
    let name = try path("x")
    #expect(SystemError(.openSource, name, .call("open", Errno(code: EIO))).errno == Errno(code: EIO))
    #expect(SystemError(.createTarget, name, .targetExists).errno == nil)
  }
}
