// Draws the app's icon and the tray's images: `node scripts/icons.mjs`. The results are committed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './bootstrap.mjs';

const resources = join(root, 'resources');

/** Petrol is readable on light and dark panels; macOS colours template images itself, using only their shape. */
const INKS = { '': '#2a97a6', Template: '#000000' };
const STATES = {
  idle: undefined,
  uploading: { colour: '#1c9a4b', sign: 'M24 28.5 V20 M20.5 23.2 L24 19.7 L27.5 23.2' },
  paused: { colour: '#6b7680', sign: 'M21.6 20.5 V27.5 M26.4 20.5 V27.5' },
  problem: { colour: '#d9352c', sign: 'M24 19.5 V24.5 M24 28.6 V28.7' },
};

/** A picture above a dock. A state's sign is in the corner, cut out of its disc, with a transparent ring around it. */
function traySvg(ink, state) {
  const disc = state && `<circle cx="24" cy="24" r="8" fill="${ink === '#000000' ? ink : state.colour}" mask="url(#sign)" />`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <mask id="ring"><rect width="32" height="32" fill="#fff" />${state ? '<circle cx="24" cy="24" r="9.6" fill="#000" />' : ''}</mask>
    <mask id="sign"><rect width="32" height="32" fill="#fff" />
      <path d="${state?.sign ?? ''}" fill="none" stroke="#000" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" /></mask>
    <g fill="none" stroke="${ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" mask="url(#ring)">
      <rect x="8" y="3" width="16" height="15" rx="2.5" />
      <path d="M10.5 15.5 L14.5 10.5 L17.5 13.5 L19.5 11.5 L21.5 14" stroke-width="2" />
      <path d="M3 17 V23.5 Q3 29 8.5 29 H23.5 Q29 29 29 23.5 V17" />
    </g>
    ${disc ?? ''}
  </svg>`;
}

async function write(name, svg, size) {
  const png = await sharp(Buffer.from(svg), { density: 600 }).resize(size, size).png({ compressionLevel: 9 }).toBuffer();
  await writeFile(join(resources, name), png);
}

await write('icon.png', await readFile(join(resources, 'icon.svg'), 'utf8'), 1024);
for (const [name, state] of Object.entries(STATES)) {
  for (const [suffix, ink] of Object.entries(INKS)) {
    await write(`tray/${name}${suffix}.png`, traySvg(ink, state), 16);
    await write(`tray/${name}${suffix}@2x.png`, traySvg(ink, state), 32);
  }
}
