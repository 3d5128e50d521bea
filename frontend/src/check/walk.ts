// Arrow keys in a drawing: from a device to the next one in a direction.
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns whether a key walks. */
export function isWalk(key: string): boolean {
  return key in WAYS;
}

/** Returns the nearest device in the direction of a key, one straight ahead before one aside. */
export function neighbour(boxes: Map<number, Box>, from: number, key: string): number | null {
  const [dx, dy] = WAYS[key]!;
  const here = middle(boxes.get(from)!);
  let [best, least] = [null as number | null, Infinity];
  for (const [device, box] of boxes) {
    const there = middle(box);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [device, ahead + 3 * aside];
  }
  return best;
}

function middle(box: Box): { x: number; y: number } {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
