import SystemIO
import TestSupport
import Testing

@Suite struct FilePathTests {
  @Test func `bytes that are not UTF-8 are kept as they are`() throws {
    let bytes: [UInt8] = [0x61, 0xff, 0xfe, 0x2f, 0xc3, 0x28]
    let path = try #require(FilePath(bytes: bytes))
    #expect(path.bytes == bytes)
    #expect(path.description.contains("\u{fffd}"))
  }

  @Test(arguments: [[], [0], [0x61, 0], [0, 0x61], [0x61, 0, 0x62]] as [[UInt8]])
  func `an empty path and one with a zero byte are refused`(bytes: [UInt8]) {
    #expect(FilePath(bytes: bytes) == nil)
    #expect(FilePath(String(decoding: bytes, as: UTF8.self)) == nil)
  }

  @Test(arguments: [
    ("clip.mp4", ".", "clip.mp4"), ("clips/clip.mp4", "clips", "clip.mp4"), ("/clip.mp4", "/", "clip.mp4"),
    ("/a/b/c", "/a/b", "c"), ("a/b/", "a/b", ""), ("/", "/", ""), ("./x", ".", "x"), ("../x", "..", "x"),
  ])
  func `a path divides into its folder and its last component`(text: String, folder: String, last: String)
    throws
  {
    let path = try path(text)
    #expect(path.folder.bytes == Array(folder.utf8))
    #expect(path.lastComponent == Array(last.utf8))
  }

  @Test(arguments: [
    ("clip.mp4", "mp4"), ("clip.MP4", "mp4"), ("a.b/clip", ""), ("a.b/clip.m4a", "m4a"),
    ("clip.tar.ec3", "ec3"),
    (".mp4", ""), ("clips/.ec3", ""), ("clip.", ""), ("clip", ""), ("..mp4", "mp4"),
  ])
  func `the suffix is what follows the last dot of the last component`(text: String, suffix: String) throws {
    let path = try path(text)
    #expect(path.suffix == suffix)
  }

  @Test func `a name is appended behind one slash`() throws {
    let folder = try path("clips")
    #expect(folder.appending([0xff, 0x2e]).bytes == Array("clips/".utf8) + [0xff, 0x2e])
  }

  @Test(arguments: [("clip", "clips/clip"), ("/clip", "clips//clip"), ("a/b", "clips/a/b")])
  func `a text is appended as its bytes are`(name: String, whole: String) throws {
    let folder = try path("clips")
    #expect(folder.appending(name) == (try path(whole)))
    #expect(folder.appending("") == nil)
    #expect(folder.appending("a\0b") == nil)
  }

  @Test(arguments: ["clip.mp4", "clips/clip.mp4", "/clip.mp4", "/a/b/c", "a/b/", "./x", "../x", "//x"])
  func `a folder holds what names it as its folder`(text: String) throws {
    let output = try path(text)
    for folder in ["clips", ".", "/", "/a/b", "/a", "a/b", "..", "clip", "clips/clip.mp4"].map({
      FilePath($0)
    }) {
      let folder = try #require(folder)
      #expect(folder.holds(output) == (folder == output.folder), "\(folder)")
    }
  }

  @Test func `paths are equal when their bytes are, not when their text is`() throws {
    let one = try #require(FilePath(bytes: [0xfe]))
    let other = try #require(FilePath(bytes: [0xff]))
    #expect(one.description == other.description)
    #expect(one != other)
    #expect(Set([one, other, one]).count == 2)
  }

  @Test func `a path exists once something has its name`() throws {
    let folder = try TemporaryFolder()
    let path = try path(folder.file("clip"))
    #expect(!path.exists)
    _ = try folder.write([1], as: "clip")
    #expect(path.exists)
  }

  @Test func `a file whose name is not UTF-8 is written and read under just these bytes`() throws {
    let folder = try TemporaryFolder()
    let target = try path(folder.path).appending([0x63, 0xff, 0xfe, 0x2e, 0x6d])
    let output = try OutputFile(creating: target, options: OutputOptions(), sources: [])
    try output.write([1, 2, 3])
    try output.publish()
    let file = try MappedFile(path: target)
    #expect(try file.read(at: 0, count: 10) == [1, 2, 3])
    #expect(folder.names.count == 1)
  }
}
