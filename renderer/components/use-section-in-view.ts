import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** Scrolls a navigation that is wider than the screen, as on phones, to the current page's link. */
export function useSectionInView(nav: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const active = [...(nav.current?.querySelectorAll('a') ?? [])].find((link) => link.pathname === pathname);
    active?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [nav, pathname]);
}
