/** iPads call themselves Macs, which have no touch screens. */
const isTablet = () => /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;

/** What this phone calls itself to websites. */
export function phoneName(): string | undefined {
  if (isTablet()) return 'iPad';
  return /iPhone|iPad|Android/.exec(navigator.userAgent)?.[0];
}

/** The system whose steps are shown first. */
export const systemOfPhone = () => (/iPhone|iPad/.test(phoneName() ?? '') ? 'apple' : 'android');
