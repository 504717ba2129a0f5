import { z } from 'zod';
import { type FormFields, formFields, uploadResult } from '#api/images/upload.ts';
import { type Failure, failure } from '#main/base/reasons.ts';

/** `recording`: its file still grows; then it is a draft. `draft`: isn't uploaded before the user has looked at it. */
export const ITEM_STATES = ['recording', 'draft', 'queued', 'sending', 'paused', 'done', 'failed', 'discarded'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Who waits for an upload; a lower lane goes first. */
export const LANE = { person: 0, editor: 1, folder: 2 } as const;

/** The result of an upload. A token that may only upload isn't told the name of a picture that exists already: then it is the file's. */
export const sentImage = uploadResult.required({ name: true });
export type SentImage = z.infer<typeof sentImage>;

/** A file to upload. */
export interface NewItem {
  /** Default: a new one. */
  id?: string;
  /** Absolute path. */
  path: string;
  /** The image's name. */
  name: string;
  /** The app's own copy, removed once the upload is over. */
  spooled: boolean;
  fields?: FormFields | undefined;
  /** The account it must go to. Default: the one in use when it is sent. */
  account?: string | undefined;
  /** Bytes, and the time of the last change in milliseconds since 1970, as last seen. */
  size?: number | undefined;
  modified?: number | undefined;
  /** Of the content, in hexadecimal. */
  sha256?: string | undefined;
  /** The watch folder that it is from, and its path in there with `/` as separator. */
  folder?: { id: string; relPath: string } | undefined;
  /** Whether the file is to be moved or trashed once it is uploaded. */
  postUpload?: boolean;
  /** Whether it waits for the user to send it. */
  isDraft?: boolean;
  /** Whether its file still grows. */
  isRecording?: boolean;
}

/** An upload in the journal. Times are in milliseconds since 1970. */
export interface Item {
  id: string;
  /** What the service recognises a repeated request by. */
  key: string;
  batchId: string;
  /** See {@link LANE}. */
  lane: number;
  /** Undefined until it is first sent, unless it must go to a certain one. */
  account: string | undefined;
  path: string;
  name: string;
  spooled: boolean;
  size: number | undefined;
  modified: number | undefined;
  sha256: string | undefined;
  fields: FormFields;
  folder: { id: string; relPath: string } | undefined;
  state: ItemState;
  /** What is drawn on a draft, as its page wrote it. */
  marks: string | undefined;
  /** Number of responses that were refusals. */
  attempts: number;
  notBefore: number;
  /** Why it has failed, or waits. */
  failure: Failure | undefined;
  /** Once done; without the link that deletes it. */
  image: SentImage | undefined;
  postUpload: 'none' | 'wanted' | 'pending' | 'done';
  addedAt: number;
  endedAt: number | undefined;
}

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(schema)
    .nullable();
const optional = <T>(value: T | null): T | undefined => value ?? undefined;

const row = z.object({
  id: z.string(),
  key: z.string(),
  batch_id: z.string(),
  lane: z.number(),
  account: z.string().nullable(),
  path: z.string(),
  name: z.string(),
  spooled: z.number(),
  size: z.number().nullable(),
  modified: z.number().nullable(),
  sha256: z.string().nullable(),
  fields: json(formFields),
  folder_id: z.string().nullable(),
  rel_path: z.string().nullable(),
  state: z.enum(ITEM_STATES),
  marks: z.string().nullable(),
  attempts: z.number(),
  not_before: z.number(),
  failure: json(failure),
  image: json(sentImage),
  after_state: z.enum(['none', 'wanted', 'pending', 'done']),
  added_at: z.number(),
  ended_at: z.number().nullable(),
});

/** Reads a row of the table. @throws ZodError when another program has written to it */
export function itemOf(value: unknown): Item {
  const { batch_id, fields, folder_id, rel_path, ...found } = row.parse(value);
  return {
    id: found.id,
    key: found.key,
    batchId: batch_id,
    lane: found.lane,
    account: optional(found.account),
    path: found.path,
    name: found.name,
    spooled: found.spooled === 1,
    size: optional(found.size),
    modified: optional(found.modified),
    sha256: optional(found.sha256),
    fields: fields ?? {},
    folder: folder_id !== null && rel_path !== null ? { id: folder_id, relPath: rel_path } : undefined,
    state: found.state,
    marks: optional(found.marks),
    attempts: found.attempts,
    notBefore: found.not_before,
    failure: optional(found.failure),
    image: optional(found.image),
    postUpload: found.after_state,
    addedAt: found.added_at,
    endedAt: optional(found.ended_at),
  };
}
