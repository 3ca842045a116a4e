// Colours of labels, by the numbers of the labels.
import { make } from "./dom.js";

export const N_COLOURS = 7; // as many as base.css has
export const MOST_TINT = 60; // percent of a colour behind text, so that the text stays readable

export const colourOf = (number) => `--c: var(--label-${number % N_COLOURS})`;

export const swatch = (label) => make("span", { class: "swatch", style: colourOf(label), "aria-hidden": "true" });
