/** The DNS-SD type without protocol: any browser of HTTP services lists Pixdock. */
export const SERVICE_TYPE = 'http';

/** Distinguishes Pixdock from printers and routers, in the TXT record's key `app`. */
export const TXT_APP = 'pixdock';

/** Maximum number of alternatives tried for a name that another device has: `pixdock-2` to `pixdock-9`. */
export const MAX_NAMES = 9;

/** The nth choice of host name for a label, without `.local`. */
export const nthName = (label: string, n: number) => (n === 1 ? label : `${label}-${n}`);

/** All host names that this computer may announce for a label. */
export const announceableHosts = (label: string) => Array.from({ length: MAX_NAMES }, (_, index) => `${nthName(label, index + 1)}.local`);
