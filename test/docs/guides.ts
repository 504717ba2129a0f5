import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const GUIDES = join(import.meta.dirname, '../../docs/guides');

export function guideNames(): string[] {
  return readdirSync(GUIDES).filter((name) => name.endsWith('.md'));
}

export function readGuide(name: string): string {
  return readFileSync(join(GUIDES, name), 'utf8');
}

/** The fenced blocks of a guide. */
export function codeBlocks(name: string, language: string): string[] {
  const blocks = readGuide(name).matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].filter(([, marked]) => marked === language).map(([, , text = '']) => text);
}

/** Replaces the guides' examples with a real address and token. */
export function fillIn(text: string, url: string, token: string): string {
  return text.replaceAll('https://pics.example.org', url).replaceAll('pxd_your_token', token);
}
