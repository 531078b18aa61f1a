import SystemIO

extension MappedFile {
  /// Why a reader of this file failed: if the file changed meanwhile or could not be read, that; else what the reader says.
  ///
  /// What is gone from a truncated file is read as zeros, which no parser can tell from damage.
  func explain(_ failure: Failure) -> Failure {
    do throws(SystemError) {
      try checkUnchanged()
      return failure
    } catch {
      return Failure(error)
    }
  }
}
