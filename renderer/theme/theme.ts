import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const petrol: MantineColorsTuple = [
  '#eaf6f7',
  '#d3eaed',
  '#a8d5db',
  '#7cc0ca',
  '#5bb0bc',
  '#3d9aa8',
  '#1d7f8d',
  '#125d69',
  '#0e4b55',
  '#0a3840',
];

/** Neutral tones with a tint of the accent. */
const gray: MantineColorsTuple = [
  '#f6f8f8',
  '#eef2f2',
  '#e2e8e9',
  '#d2dadc',
  '#bac6c9',
  '#93a2a6',
  '#586a6f',
  '#435257',
  '#2d393d',
  '#1a2326',
];

const dark: MantineColorsTuple = [
  '#dbe3e5',
  '#bcc8cb',
  '#94a5a9',
  '#66797e',
  '#384649',
  '#293437',
  '#1d2628',
  '#131a1c',
  '#0e1415',
  '#090d0e',
];

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol, gray, dark },
  black: '#111a1c',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '22px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI Variable Text', 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  components: {
    Modal: {
      defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.5 } },
      styles: { title: { fontSize: '1.0625rem', fontWeight: 620, lineHeight: 1.3 } },
    },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, fz: 'xs' } },
    // The placeholder is a focusable part of the menu without a role. Without it, the first item gets the focus.
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Button: { styles: { label: { fontWeight: 560 } } },
  },
});

/**
 * Mantine's placeholder and error tones, and the titles of its light notices, have a contrast below 4.5 : 1. Its text on light red is almost
 * black or white, which hides that a button deletes; its light petrol is darker than a dark page.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  // Seen on every background: the edge of pictures in the colour of the page.
  variables: {
    '--pd-edge': 'rgb(128 140 144 / 30%)',
    '--pd-checkers': 'conic-gradient(#fff 25%, #a3a9ab 0 50%, #fff 0 75%, #a3a9ab 0) 0 0 / 24px 24px',
  },
  light: {
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-error': '#b3261e',
    '--mantine-color-red-light-color': '#b3261e',
    '--mantine-color-orange-light-color': '#9c3a0a',
    '--mantine-color-yellow-light-color': '#8a4b00',
    '--mantine-color-teal-light-color': '#076648',
    '--mantine-color-anchor': petrol[7],
    '--pd-ground': '#ffffff',
    '--pd-rail': gray[0],
    '--pd-line': gray[2],
    '--pd-tile': gray[1],
    '--pd-accent': petrol[7],
    '--pd-accent-soft': petrol[0],
    '--pd-hover': 'rgb(18 93 105 / 6%)',
  },
  dark: {
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-red-light-color': '#ff9b93',
    '--mantine-color-petrol-light': 'rgb(61 154 168 / 28%)',
    '--mantine-color-petrol-light-hover': 'rgb(61 154 168 / 36%)',
    '--mantine-color-anchor': petrol[3],
    '--pd-ground': dark[7],
    '--pd-rail': dark[8],
    '--pd-line': dark[5],
    '--pd-tile': dark[6],
    '--pd-accent': petrol[3],
    '--pd-accent-soft': 'rgb(61 154 168 / 18%)',
    '--pd-hover': 'rgb(124 192 202 / 8%)',
  },
});
