// Shapes that charts draw by themselves, in pixels.
import { themeValue } from "../theme";
import { FONT, type Option } from "./look";
import { type Mark } from "./spec";

/** The item of data that the library asks to draw. */
export interface Item {
  value(dimension: number): number;
  coord(value: [number, number]): [number, number];
  size?(value: [number, number]): [number, number];
}

type Point = [number, number];
type Frame = Record<"x" | "y" | "width" | "height", number>;

export function line([x1, y1]: Point, [x2, y2]: Point, stroke: string, lineWidth = 1.5) {
  return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth } };
}

export function text(
  shown: string,
  { x, y, fill }: { x: number; y: number; fill: string },
  align: "left" | "center" | "right" = "left",
) {
  const style = { text: shown, x, y, fill, align, verticalAlign: "middle", fontFamily: FONT };
  return { type: "text", style };
}

/** Draws a line across the chart. */
export function markOf({ value, axis: along, name }: Mark): Option {
  const quiet = themeValue("--quiet");
  return {
    type: "custom",
    silent: true,
    data: [along === "x" ? [value, undefined] : [undefined, value]],
    renderItem: ({ coordSys: { x, y, width, height } }: { coordSys: Frame }, item: Item) => {
      const [across, up] = item.coord([value, value]);
      const ends: [Point, Point] =
        along === "x"
          ? [
              [across, y],
              [across, y + height],
            ]
          : [
              [x, up],
              [x + width, up],
            ];
      const shown = text(name, { x: across, y: y - 8, fill: quiet }, "center");
      return { type: "group", children: [line(...ends, quiet, 1), shown] };
    },
  };
}
