// The editing model as one module: pure functions between the text of a design and its drawing.
export * as edits from "./edits";
export * as graph from "./graph";
export * as layout from "./layout";
export * as patch from "../workbench/patch";
export * as yaml from "yaml";
