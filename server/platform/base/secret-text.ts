import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 32 random bytes as 43 characters of base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** `length` random characters of an alphabet. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** `length` random letters and digits. */
export const randomKey = (length: number): string => randomText(length, ALPHABET);

/** The stored form of a random secret: its SHA-256. Random secrets need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two texts in a time that depends on their lengths only, so that it reveals nothing about a secret's content. */
export function safeEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
