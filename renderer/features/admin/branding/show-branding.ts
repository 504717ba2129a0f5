import { accentCss } from '#api/accent.ts';
import type { Branding } from '#api/branding.ts';

/** Changes the colours and the icon of this page to what the service puts into the next one. */
export function showBranding({ accent_color, logo }: Branding): void {
  let style = document.getElementById('pixdock-accent');
  if (!style) {
    style = document.createElement('style');
    style.id = 'pixdock-accent';
    document.head.append(style);
  }
  style.textContent = accent_color ? accentCss(accent_color) : '';
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  icon.type = logo ? 'image/png' : 'image/svg+xml';
  icon.href = logo ? logo.url.replace('/branding/logo', '/branding/icon') : '/favicon.svg';
}
