import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key and its certificate, as PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALT_NAME = '0603551d11';

/** A self-signed certificate for 127.0.0.1, valid for a day around now. */
export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, hex(ECDSA_WITH_SHA256));
  const name = der(0x30, der(0x31, der(0x30, hex(COMMON_NAME), der(0x0c, Buffer.from('127.0.0.1')))));
  const validity = der(0x30, time(Date.now() - 43_200_000), time(Date.now() + 43_200_000));
  const address = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(0xa3, der(0x30, der(0x30, hex(SUBJECT_ALT_NAME), der(0x04, address))));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const body = der(0x30, version, serial, algorithm, name, validity, name, spki(publicKey), extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const cert = der(0x30, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value in DER (X.690): tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const hex = (text: string) => Buffer.from(text, 'hex');
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }) as Buffer;

/** A UTCTime, such as 261122101500Z. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
