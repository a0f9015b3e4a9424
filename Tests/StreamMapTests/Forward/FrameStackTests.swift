import Testing

@testable import StreamMap

@Suite struct FrameStackTests {
  private func frame(_ number: Int, _ memory: UnsafeMutableRawPointer) -> Frame {
    Frame(
      kind: .array, index: number, destination: memory, slots: memory, element: memory, start: .none
    )
  }

  @Test func `frames keep their content and their order while the stack grows`() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { memory.deallocate() }
    let frames = FrameStack(frame(0, memory))
    #expect(frames.isOutermost && frames.count == 1)
    for number in 1..<1000 {
      frames.push(frame(number, memory))
      #expect(frames.count == number + 1 && frames.top.pointee.index == number)
    }
    #expect((0..<1000).allSatisfy { frames[$0].pointee.index == $0 })
    for number in (1..<1000).reversed() {
      #expect(frames.top.pointee.index == number && !frames.isOutermost)
      frames.pop()
    }
    #expect(frames.isOutermost && frames.top.pointee.index == 0)
  }

  @Test func `a frame that is pushed after a pop takes the place of the popped one`() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { memory.deallocate() }
    let frames = FrameStack(frame(0, memory))
    frames.push(frame(1, memory))
    frames.top.pointee.hasFailed = true
    frames.pop()
    frames.push(frame(2, memory))
    #expect(frames[1].pointee.index == 2 && !frames[1].pointee.hasFailed)
  }
}
