import type { FramePlace } from '../frame.ts';

/** Bytes of one request. */
const MAX_REQUEST = 8 << 20;

/** Frames that one request can fetch: they follow one another in the file. */
export function groupFrames(frames: readonly FramePlace[]): FramePlace[][] {
  const groups: FramePlace[][] = [];
  let [end, bytes] = [-1, 0];
  for (const frame of [...frames].sort((a, b) => a.at - b.at)) {
    const group = groups.at(-1);
    if (group && frame.at === end && bytes + frame.length <= MAX_REQUEST) group.push(frame);
    else {
      groups.push([frame]);
      bytes = 0;
    }
    bytes += frame.length;
    end = frame.at + frame.length;
  }
  return groups;
}
