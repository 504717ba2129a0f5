import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariables, theme } from './theme.ts';

/** The colours and sizes that plain components use. Mantine defines hundreds more. */
const USED =
  /^--(pd-|mantine-(cursor|scale|line-height$|font-family|font-size|radius|primary-color-filled|color-(white|black|text|body|error|placeholder|anchor|dimmed|default|disabled|petrol-(filled|light|\d)|(red|orange)-(light|\d)|(gray|dark)-\d)))/;

const NAME = 'virtual:theme.css';

/** For the build: provides `virtual:theme.css`, the theme's variables for pages without Mantine, which otherwise adds them when it starts. */
export function themeStylesheet(): Plugin {
  return {
    name: 'pixdock-theme',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? themeCss() : undefined),
  };
}

function themeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const known = defaultCssVariablesResolver(merged);
  const own = cssVariables(merged);
  const rule = (selector: string, part: 'variables' | 'light' | 'dark') => {
    const lines = Object.entries({ ...known[part], ...own[part] }).filter(([name]) => USED.test(name));
    return `${selector}{${lines.map(([name, value]) => `${name}:${value};`).join('')}}`;
  };
  return [
    rule(':root', 'variables'),
    rule(':root[data-mantine-color-scheme="light"]', 'light'),
    rule(':root[data-mantine-color-scheme="dark"]', 'dark'),
  ].join('\n');
}
