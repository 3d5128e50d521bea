// A drawing as a picture of pixels: the browser draws the SVG, enlarged, on white.

const SCALE = 2;
/** Pixels of the longer side, which every browser can draw. */
const MOST_PX = 8000;

/** Returns an SVG file as a PNG file. */
export async function pngOf(svg: File): Promise<File> {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("the browser cannot draw the picture"));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svg.text())}`;
  await loaded;
  const scale = Math.min(SCALE, MOST_PX / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the browser cannot keep the picture");
  return new File([blob], svg.name.replace(/\.svg$/, ".png"));
}
