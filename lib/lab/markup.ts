/** The laboratory as HTML: its controls, and the places where its answers go. */
import { escape } from '../chart/style';
import { GROUPS, isSlider, type Choice, type Field, type Slider } from './fields';
import type { Setting } from './setting';

/** The values of a slider, with the one that an address gave. */
export function valuesOf({ values }: Slider, value: number | string | undefined): number[] {
  const all = typeof value === 'number' ? [...values, value] : [...values];
  return [...new Set(all)].sort((one, other) => one - other);
}

function slider(field: Slider, value: number | string | undefined): string {
  const { name, label, format } = field;
  const values = valuesOf(field, value);
  const index = values.indexOf(Number(value));
  const text = escape(format(Number(value)));
  return `<div class="field"><label for="${name}">${escape(label)}</label><output id="${name}-value" for="${name}">${text}</output>
<input type="range" id="${name}" min="0" max="${values.length - 1}" step="1" value="${index}" aria-valuetext="${text}"></div>`;
}

function choice({ name, label, choices }: Choice, value: number | string | undefined): string {
  const options = choices.map((each) => `<option${each === value ? ' selected' : ''}>${escape(each)}</option>`);
  return `<div class="field"><label for="${name}">${escape(label)}</label><select id="${name}">${options.join('')}</select></div>`;
}

const control = (field: Field, setting: Setting): string => (isSlider(field) ? slider(field, setting[field.name]) : choice(field, setting[field.name]));

function controls(setting: Setting): string {
  return GROUPS.map(
    ({ title, fields }) => `<fieldset><legend>${title}</legend>${fields.map((field) => control(field, setting)).join('\n')}</fieldset>`,
  ).join('\n');
}

/** Controls, and the places where the answers go. */
export function laboratory(setting: Setting): string {
  return `<section class="lab" aria-labelledby="lab-title">
<h2 id="lab-title">Move the policy, the crowd and the outage</h2>
<p>This page simulates again with each move, in your browser, with the plugin's own delays, limits and budget.
The address keeps the setting: a link to it is a link to the experiment.</p>
<noscript><p class="notice">This needs JavaScript. It loads nothing: all it needs is in this file.</p></noscript>
<p id="status" role="status"></p>
<div class="bench">
<form id="controls" aria-label="Setting"><div class="groups">${controls(setting)}</div>
<p><button type="reset" id="reset">Back to the beginning</button></p></form>
<div id="answer"></div>
</div>
</section>`;
}
