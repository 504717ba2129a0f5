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
    const strip = nav.current;
    const active = [...(strip?.querySelectorAll('a') ?? [])].find((link) => link.pathname === pathname);
    if (!strip || !active) return;
    const middle = (box: DOMRect) => box.left + box.width / 2;
    const observer = new ResizeObserver(() => {
      strip.scrollLeft += middle(active.getBoundingClientRect()) - middle(strip.getBoundingClientRect());
    });
    observer.observe(strip);
    return () => observer.disconnect();
  }, [pathname]);
  return (
    <nav ref={nav} className={`${classes.sections} ${className}`} aria-label={label}>
      {children}
    </nav>
  );
}

export const sectionClass = classes.section;
