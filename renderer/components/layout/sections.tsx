import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './sections.module.css';

interface Props {
  label: string;
  className: string | undefined;
  /** Links with the {@link sectionClass}. */
  children: ReactNode;
}

/** The navigation between the pages of a section. Where it is wider than the screen, as on phones, it scrolls to the current page's link. */
export function Sections({ label, className, children }: Props) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const active = [...(nav.current?.querySelectorAll('a') ?? [])].find((link) => link.pathname === pathname);
    active?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} className={`${classes.sections} ${className}`} aria-label={label}>
      {children}
    </nav>
  );
}

export const sectionClass = classes.section;
