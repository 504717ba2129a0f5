import { expect, test } from 'vitest';
import { findFaults } from './faults.ts';

/** A picture of 40 by 20 pixels. */
const PICTURE = Object.assign(document.createElement('canvas'), { width: 40, height: 20 }).toDataURL();
const LONG = 'A name that is much too long for the box around it';

/** What is wrong, a page with it, one without it, and what is reported. */
const CASES: [string, string, string, RegExp][] = [
  ['an unknown class', '<p class="undefined row">Text</p>', '<p class="row">Text</p>', /^unknown class: <p/],
  [
    'texts on each other',
    '<p>One text</p><p style="margin-top: -2rem">Another</p>',
    '<p>One text</p><p style="margin-top: -1rem">Another</p>',
    /^overlapping text: <p "One text"> and <p "Another">/,
  ],
  [
    'a text below a transparent layer',
    '<p>Below</p><div style="position: absolute; inset: 0; padding: 1rem 0.5rem">Above</div>',
    '<p>Below</p><div style="position: absolute; inset: 0; padding: 1rem 0.5rem; background: white">Above</div>',
    /^overlapping text: /,
  ],
  [
    'texts without a gap',
    '<b>holiday.jpg</b><i>12 KB</i>',
    '<b>holiday.jpg</b> <i>12 KB</i>',
    /^touching text: <b "holiday.jpg"> and <i "12 KB">/,
  ],
  [
    'a text cut at the edge of its box',
    `<p style="width: 8rem; overflow: hidden; white-space: nowrap">${LONG}</p>`,
    `<p style="width: 8rem; overflow: hidden">${LONG}</p>`,
    /^cut text: <p .* by <p/,
  ],
  [
    'a text cut with an ellipsis and no title',
    `<p style="width: 8rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">${LONG}</p>`,
    `<p style="width: 8rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis" title="${LONG}">${LONG}</p>`,
    /^cut text: <p .* has no title/,
  ],
  [
    'a line cut in half',
    `<div style="width: 8rem; height: 27px; overflow: hidden; font: 16px/18px sans-serif">${LONG}</div>`,
    `<div style="width: 8rem; height: 36px; overflow: hidden; font: 16px/18px sans-serif">One line</div>`,
    /^cut text: /,
  ],
  [
    'a word on two lines',
    '<h1 style="width: 3rem; overflow-wrap: anywhere">Trash</h1>',
    '<h1 style="width: 3rem; overflow-wrap: anywhere">A bin</h1>',
    /^broken word: <h1 "Trash"> in "Trash"/,
  ],
  [
    'a short Chinese label on two lines',
    '<p style="width: 1.5rem; font-size: 16px">上传</p>',
    '<p style="width: 1.5rem; font-size: 16px">上传的图片都在这里</p>',
    /^broken word: <p "上传">/,
  ],
  [
    'a placeholder cut off',
    `<input style="width: 8rem; height: 30px" placeholder="${LONG}" />`,
    `<input style="width: 40rem; height: 30px" placeholder="${LONG}" />`,
    /^cut text: .* in a field/,
  ],
  [
    'a stretched picture',
    `<img src="${PICTURE}" width="40" height="10" />`,
    `<img src="${PICTURE}" width="20" height="10" />`,
    /^stretched picture: <img> 40 × 20/,
  ],
  [
    'an enlarged picture',
    `<img src="${PICTURE}" width="80" />`,
    `<img src="${PICTURE}" style="width: 80px; height: 80px; object-fit: scale-down" />`,
    /^enlarged picture: <img> 40 × 20 as 80 × 40/,
  ],
  [
    'a control outside the window',
    '<button style="position: fixed; left: -20px; width: 80px; height: 30px">Go</button>',
    '<style>a { position: fixed; top: -60px; display: block; height: 24px } a:focus { top: 0 }</style><a href="#x">Skip to content</a>',
    /^control outside: <button "Go">/,
  ],
  [
    'a covered control',
    '<button style="height: 30px">Go</button><div style="position: absolute; inset: 0; background: white"></div>',
    '<button style="height: 30px">Go</button><div style="position: fixed; inset: 0; background: white"></div>',
    /^covered control: <button "Go"> by <div>/,
  ],
  [
    'a small control',
    '<button style="width: 20px; height: 20px; padding: 0">x</button>',
    '<p>A <a href="#x">link</a> in text</p><label style="display: inline-block; padding: 6px"><input type="checkbox" /> Label</label>',
    /^small control: <button "x"> 20 × 20/,
  ],
  [
    'two styles of a heading',
    '<h2>One</h2><h2 style="font-size: 1rem">Two</h2>',
    '<h2>One</h2><h2>Two</h2><div role="dialog"><h2 style="font-size: 1rem">Three</h2></div>',
    /^heading styles: level 2: /,
  ],
  [
    'a box that hardly stands out',
    '<div style="background: #1c2f32"><input type="radio" style="appearance: none; width: 24px; height: 24px; border: 1px solid #384649" /></div>',
    '<div style="background: #1c2f32"><input type="radio" style="appearance: none; width: 24px; height: 24px; border: 1px solid #94a5a9" /></div>',
    /^faint control: <input> 1\.\d : 1/,
  ],
  [
    'a page that scrolls sideways',
    '<div style="width: 120vw">Wide</div>',
    '<div style="width: 90vw">Wide</div>',
    /^horizontal scrolling: /,
  ],
  [
    'a part that scrolls sideways',
    '<div style="width: 100px; overflow: auto"><div style="width: 200px">Wide</div></div>',
    '<div style="width: 100px; overflow: auto"><pre style="width: 200px">Wide</pre></div>',
    /^horizontal scrolling: <div/,
  ],
];

/** In a document of its own, without the application's styles. */
async function faultsOf(body: string): Promise<string[]> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;inset:0;width:1280px;height:720px;border:0';
  frame.srcdoc = `<!doctype html><body style="margin: 8px">${body}</body>`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  try {
    // Sent as text, as Playwright does.
    return (frame.contentWindow as typeof window).eval(`(${findFaults})()`) as string[];
  } finally {
    frame.remove();
  }
}

for (const [name, faulty, sound, expected] of CASES)
  test(`finds ${name}`, async () => {
    expect(await faultsOf(faulty)).toEqual([expect.stringMatching(expected)]);
    expect(await faultsOf(sound)).toEqual([]);
  });
