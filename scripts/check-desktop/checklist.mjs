// What a person must try by hand, from docs/desktop-on-each-system.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

const DOCUMENT = 'docs/desktop-on-each-system.md';
const TITLE = '## The first hour on a real computer';
const NAMES = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' };

/** The checklist's sections for a system, with their headings. `desktops`: those of Linux that run here; unknown ones get all of Linux's sections. */
export function checklistFor(platform, desktops = []) {
  const [, chapter = ''] = readFileSync(join(root, DOCUMENT), 'utf8').split(`${TITLE}\n`);
  const [list = ''] = chapter.split(/^## /m);
  const [, ...sections] = list.split(/^### /m);
  const own = sections.filter((section) => concerns(headingOf(section), platform));
  const names = desktops.filter((name) => own.some((section) => headingOf(section).includes(name)));
  const isOther = (heading) => heading.startsWith(NAMES.linux) && names.length > 0 && !names.some((name) => heading.includes(name));
  const chosen = own.filter((section) => !isOther(headingOf(section)));
  return chosen.map((section) => `### ${section.trim()}\n`).join('\n');
}

const headingOf = (section) => section.split('\n', 1)[0] ?? '';

/** A section that names no system is for each. */
function concerns(heading, platform) {
  const named = Object.values(NAMES).filter((name) => heading.includes(name));
  return named.length === 0 || named.includes(NAMES[platform]);
}
