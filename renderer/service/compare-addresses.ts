import { isLoopbackHost } from '#api/desktop/listening.ts';

/** The page is open at an address other than the one that links start with. */
export interface OtherAddress {
  /** The origin of the page. */
  page: string;
  /** The link address. */
  links: string;
  /** True if only the computer that runs Pixdock can open such links. */
  local: boolean;
}

/** Whether only the computer itself can open an origin. */
export const isLoopback = (origin: string) => isLoopbackHost(new URL(origin).hostname);

/**
 * Compares the origin of a page with the link address. On the computer that runs Pixdock, pages are open on loopback whatever the link
 * address is, so there they count as the same.
 */
export function compareAddresses(page: string, links: string): OtherAddress | undefined {
  if (page === links || isLoopback(page)) return undefined;
  return { page, links, local: isLoopback(links) };
}

/** Identifies a pair that an admin or user has decided to keep. */
export const pairOf = ({ page, links }: OtherAddress) => `${page} ${links}`;
