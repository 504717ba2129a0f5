import { type ConvertCSSVariablesInput, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariables, theme } from './theme.ts';

/** The colours and sizes that plain components use. Mantine defines hundreds more. */
const USED =
  /^--(pd-|mantine-(cursor|scale|line-height$|font-family|font-size|radius|primary-color-filled|color-(white|black|text|body|error|placeholder|anchor|dimmed|default|disabled|petrol-(filled|light|\d)|(red|orange)-(light|\d)|(gray|dark)-\d)))/;

const NAME = 'virtual:theme.css';

/**
 * Provides `virtual:theme.css`, the theme's variables: all that plain components use, or what differs from those in Mantine's stylesheets. Mantine
 * would compute them in every browser.
 */
export function themeStylesheet(pages: 'plain' | 'mantine'): Plugin {
  return {
    name: 'pixdock-theme',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? themeCss(pages) : undefined),
  };
}

function themeCss(pages: 'plain' | 'mantine'): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const known = defaultCssVariablesResolver(merged);
  const own = cssVariables(merged);
  const mantines: Record<string, Record<string, string>> = { ...defaultCssVariablesResolver(DEFAULT_THEME) };
  const rule = (selector: string, part: keyof ConvertCSSVariablesInput) => {
    const isNeeded = ([name, value]: [string, string]) => (pages === 'plain' ? USED.test(name) : mantines[part]?.[name] !== value);
    const lines = Object.entries({ ...known[part], ...own[part] }).filter(isNeeded);
    return `${selector}{${lines.map(([name, value]) => `${name}:${value};`).join('')}}`;
  };
  return [
    rule(':root', 'variables'),
    rule(':root[data-mantine-color-scheme="light"]', 'light'),
    rule(':root[data-mantine-color-scheme="dark"]', 'dark'),
  ].join('\n');
}
