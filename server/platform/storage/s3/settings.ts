import { z } from 'zod';

/** How a bucket is reached, as it is stored in a policy's `config`. */
export const s3Settings = z.object({
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  /** Without slashes at its ends; empty: the bucket's root. */
  prefix: z.string(),
  path_style: z.boolean(),
  access_key_id: z.string(),
  /** Encrypted. */
  sealed_secret: z.string(),
  /** The random contents of the object that marks the place as this policy's. */
  marker: z.string(),
  /** The address of a CDN in front of the prefix, without a slash at its end; null: none. */
  public_url: z.string().nullable(),
});
export type S3Settings = z.infer<typeof s3Settings>;

/** The settings as admins enter them, with the secret in plain text. */
export type S3Access = Omit<S3Settings, 'sealed_secret' | 'marker'> & { secret_access_key: string };

/** What the keys of all objects of a place begin with. */
export const rootOf = ({ prefix }: Pick<S3Access, 'prefix'>): string => (prefix === '' ? '' : `${prefix}/`);
