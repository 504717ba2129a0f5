import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import type { Branding } from '#api/branding.ts';
import { configQuery } from '#renderer/service/queries.ts';
import classes from './brand.module.css';
import { PixdockMark } from './pixdock-mark.tsx';

interface Brand {
  site_name: string;
  logo: Branding['logo'];
}

const DEFAULT: Brand = { site_name: 'Pixdock', logo: null };

/** What the service has put into the page, which is known before anything has been requested. */
function brandInPage(): Brand {
  const meta = document.querySelector<HTMLMetaElement>('[name="pixdock-brand"]');
  return meta ? JSON.parse(meta.content) : DEFAULT;
}

/** The site's name and logo. */
export function useBrand(): Brand {
  const { data: config } = useQuery(configQuery);
  const [inPage] = useState(brandInPage);
  return config ?? inPage;
}

/** A logo at least this many times as wide as it is high contains the name. */
const WIDE = 2.2;

export const isWide = (logo: Brand['logo']): boolean => logo !== null && logo.width > WIDE * logo.height;

/** The site's logo, or Pixdock's. Decorative, since the name always stands beside it or is its label. */
export function BrandMark({ size }: { size: number }) {
  return <LogoMark size={size} logo={useBrand().logo} />;
}

/** @param scheme the theme around it, if it isn't that of the page */
export function LogoMark({ size, logo, scheme }: { size: number; logo: Brand['logo']; scheme?: 'light' | 'dark' }) {
  if (!logo) return <PixdockMark size={size} />;
  const { url, width, height, plate } = logo;
  const style: CSSProperties = { height: size, aspectRatio: `${width} / ${height}` };
  return <img src={url} alt="" className={classes.logo} style={style} data-plate={plate.join(' ')} data-scheme={scheme} />;
}

/** The site's name beside its logo; only for screen readers where the logo contains it. */
export function BrandName({ className = '' }: { className?: string | undefined }) {
  const { site_name, logo } = useBrand();
  return <span className={isWide(logo) ? classes.hidden : className}>{site_name}</span>;
}
