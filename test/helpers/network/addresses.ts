import { networkInterfaces } from 'node:os';

/** An address of this computer that 127.0.0.1 doesn't include; where there is no network, a second loopback address. */
export const SECOND_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';

/** A source address that no adapter has: to a service, its requests come from another device. Linux and Windows only. */
export const OTHER_DEVICE = '127.0.0.9';
