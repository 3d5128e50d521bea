// A WebAssembly file is bundled deflated, in base64.
declare module "*.wasm" {
  const deflated: string;
  export default deflated;
}
