/** A window size, with the colour scheme that is checked there in full. */
export interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'dark' | 'light';
}

export const PHONE: Screen = { name: 'phone', width: 360, height: 740, colorScheme: 'dark' };
export const DESK: Screen = { name: 'desk', width: 1440, height: 900, colorScheme: 'light' };

/** What axe checks beyond its defaults. WCAG 2.2: targets of 24 by 24 CSS pixels, or as much room around them. */
export const RULES = { 'target-size': { enabled: true } };

/** The window that component tests begin with. */
export const WINDOW = { width: 1280, height: 720 };
