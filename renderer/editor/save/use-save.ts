import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addressOf } from '#api/client.ts';
import { classify } from '#api/failures.ts';
import type { Image } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import type { Drawing } from '#renderer/editor/marks/drawing.ts';
import { hasBackground, isTransparentFrame } from '#renderer/editor/marks/frame.ts';
import { fieldsOfCopy, outputFormats, renamed } from '#renderer/editor/picture/output.ts';
import { drawResult, encode } from '#renderer/editor/picture/render.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import { isCover } from '#renderer/editor/tools/tools.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { randomKey, replaceFile, sendForm } from '#renderer/upload/queue/send-form.ts';
import type { Progress } from '#renderer/upload/queue/types.ts';
import { loadedLimits } from '#renderer/upload/sources/limits.ts';
import { type SaveKind, useShowSaved } from './show-saved.tsx';

/** What is being saved; `progress` is undefined while the picture is prepared. */
interface Saving {
  kind: SaveKind;
  progress: Progress | undefined;
  abort: AbortController;
}

/** A drawing as a file, with the keys of its uploads: another attempt sends the same again. */
interface Prepared {
  drawing: Drawing;
  blob: Blob;
  ext: string;
  keys: Record<SaveKind, string>;
}

interface Options {
  image: Image;
  source: Source;
  /** Called with the saved picture: the copy, or the image itself. */
  onSaved: (image: Image) => void;
}

/** Saves a drawing as a new picture or in place of the present one. A failure changes nothing and can be tried again. */
export function useSave({ image, source, onSaved }: Options) {
  const { t } = useTranslation('editor');
  const queryClient = useQueryClient();
  const showSaved = useShowSaved();
  const { data: session } = useQuery(sessionQuery);
  const [saving, setSaving] = useState<Saving>();
  const [failure, setFailure] = useState<{ kind: SaveKind; error: unknown }>();
  const prepared = useRef<Prepared>(undefined);

  const prepare = async (drawing: Drawing): Promise<Prepared> => {
    if (prepared.current?.drawing === drawing) return prepared.current;
    await nextFrame();
    const canvas = drawResult(source, drawing);
    const isTransparent = isTransparentFrame(drawing.frame) || (source.isTransparent && !hasBackground(drawing.frame));
    const formats = outputFormats(image.ext, isTransparent, loadedLimits(queryClient)?.allowed_exts);
    const { blob, format } = await encode(canvas, formats);
    // Browsers keep the memory of a canvas until it is empty.
    canvas.width = 0;
    prepared.current = { drawing, blob, ext: format.ext, keys: { copy: randomKey(), replace: randomKey() } };
    return prepared.current;
  };

  const send = async (kind: SaveKind, drawing: Drawing, abort: AbortController): Promise<Uploaded> => {
    const { blob: file, ext, keys } = await prepare(drawing);
    const options = { signal: abort.signal, onProgress: (progress: Progress) => setSaving({ kind, progress, abort }) };
    const idempotencyKey = keys[kind];
    if (kind === 'replace') return replaceFile(image.key, { file, name: renamed(image.name, ext), idempotencyKey }, options);
    const address = addressOf('POST /upload', { query: { as_user: session?.user?.id } });
    const name = renamed(image.name, ext, t('copyName'));
    return sendForm({ method: 'POST', address, idempotencyKey, file, name, fields: fieldsOfCopy(image) }, options);
  };

  const save = async (kind: SaveKind, drawing: Drawing) => {
    const abort = new AbortController();
    setFailure(undefined);
    setSaving({ kind, progress: undefined, abort });
    try {
      const saved = await send(kind, drawing, abort);
      showSaved(kind, saved, image, drawing.marks.some(isCover));
      onSaved(saved);
    } catch (error) {
      if (classify(error) === 'new key') prepared.current = undefined;
      if (!abort.signal.aborted) setFailure({ kind, error });
    } finally {
      setSaving(undefined);
    }
  };

  return { saving, failure, save, cancel: () => saving?.abort.abort(new DOMException('Cancelled', 'AbortError')) };
}

/** Lets the page show that it is working, which drawing would delay. Not an animation frame: a hidden page has none. */
const nextFrame = () => new Promise<void>((resolve) => setTimeout(resolve, 40));
