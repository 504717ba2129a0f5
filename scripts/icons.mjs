// Draws the app's icon, the tray's images and the packages' icons: `node scripts/icons.mjs`. The results are committed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

const drawn = (svg, size) => sharp(Buffer.from(svg), { density: 600 }).resize(size, size).png({ compressionLevel: 9 }).toBuffer();

async function write(name, svg, size) {
  await writeFile(join(resources, name), await drawn(svg, size));
}

/** Windows' format: a list of sizes (0 stands for 256), then the PNGs. */
function ico(images) {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4); // planes
    head.writeUInt16LE(32, at + 6); // bits per pixel
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** macOS's format: the PNGs, each behind the name of its kind and its length. */
function icns(images) {
  const part = (kind, content) => {
    const head = Buffer.alloc(8);
    head.write(kind, 'latin1');
    head.writeUInt32BE(8 + content.length, 4);
    return Buffer.concat([head, content]);
  };
  return part('icns', Buffer.concat(images.map(({ kind, png }) => part(kind, png))));
}

const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 256];
/** The kinds for plain and for Retina displays. */
const MAC_KINDS = { icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 };

/** In the dock, icons have a margin of a tenth, more than ours has. */
function withMargin(svg) {
  const inner = svg.replace(/<svg /, '<svg x="4" y="4" width="92" height="92" ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${inner}</svg>`;
}

/** For the web application's manifest: systems cut a shape out of a maskable icon, of which only the inner 80 % are safe. */
function maskable(svg) {
  const ground = /<rect [^>]*fill="url\(#ground\)"[^>]*>/.exec(svg)?.[0] ?? '';
  const whole = svg.replace(ground, '').replace(/<svg /, '<svg x="10" y="10" width="80" height="80" ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="url(#ground)" />${whole}</svg>`;
}

const icon = await readFile(join(resources, 'icon.svg'), 'utf8');
await write('icon.png', icon, 1024);
await mkdir(join(resources, 'build/icons'), { recursive: true });
for (const size of LINUX_SIZES) await write(`build/icons/${size}x${size}.png`, icon, size);
const web = join(root, 'renderer/public/icons');
await mkdir(web, { recursive: true });
for (const size of [180, 192, 512]) await writeFile(join(web, `${size}.png`), await drawn(size === 180 ? maskable(icon) : icon, size));
await writeFile(join(web, 'maskable-512.png'), await drawn(maskable(icon), 512));
const windows = await Promise.all(WINDOWS_SIZES.map(async (size) => ({ size, png: await drawn(icon, size) })));
await writeFile(join(resources, 'build/icon.ico'), ico(windows));
const mac = await Promise.all(Object.entries(MAC_KINDS).map(async ([kind, size]) => ({ kind, png: await drawn(withMargin(icon), size) })));
await writeFile(join(resources, 'build/icon.icns'), icns(mac));
for (const [name, state] of Object.entries(STATES)) {
  for (const [suffix, ink] of Object.entries(INKS)) {
    await write(`tray/${name}${suffix}.png`, traySvg(ink, state), 16);
    await write(`tray/${name}${suffix}@2x.png`, traySvg(ink, state), 32);
  }
}
