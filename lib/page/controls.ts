/** The controls of the laboratory: what they say, and how they are set. */
import { FIELDS, isSlider, type Field } from '../lab/fields';
import { valuesOf } from '../lab/markup';
import type { Setting } from '../lab/setting';

function elementOf(field: Field): HTMLInputElement | HTMLSelectElement {
  const element = document.getElementById(field.name);
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) return element;
  throw new Error(`no control ${field.name}`);
}

/** What a slider stands for may have a value of its own, from an address. */
const scales = new Map<string, readonly number[]>();

function showSlider(name: string, text: string): void {
  elementOf(FIELDS.find((field) => field.name === name) as Field).setAttribute('aria-valuetext', text);
  const output = document.getElementById(`${name}-value`);
  if (output) output.textContent = text;
}

function valueOf(field: Field): number | string {
  const { value } = elementOf(field);
  return isSlider(field) ? (scales.get(field.name)?.[Number(value)] ?? field.initial) : value;
}

/** What the controls say. */
export function readControls(): Setting {
  const setting = Object.fromEntries(FIELDS.map((field) => [field.name, valueOf(field)]));
  for (const field of FIELDS) if (isSlider(field)) showSlider(field.name, field.format(Number(setting[field.name])));
  return setting;
}

/** Sets them all. */
export function writeControls(setting: Setting): void {
  for (const field of FIELDS) {
    const element = elementOf(field);
    const value = setting[field.name];
    if (isSlider(field) && element instanceof HTMLInputElement) {
      const values = valuesOf(field, value);
      scales.set(field.name, values);
      element.max = String(values.length - 1);
      element.value = String(values.indexOf(Number(value)));
      showSlider(field.name, field.format(Number(value)));
    } else element.value = String(value);
  }
}
