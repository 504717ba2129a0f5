import { Loader, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { addressOf } from '#api/client.ts';
import { classify } from '#api/failures.ts';
import type { Image } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Edit, useDrawing } from '#renderer/editor/edit.ts';
import { type Drawing, isUnchanged } from '#renderer/editor/marks/drawing.ts';
import { hasBackground, isTransparentFrame } from '#renderer/editor/marks/frame.ts';
import { fieldsOfCopy, outputFormats, renamed } from '#renderer/editor/picture/output.ts';
import { drawResult, encode } from '#renderer/editor/picture/render.ts';
import { NotEditableError, type Source, useSource } from '#renderer/editor/picture/source.ts';
import { SaveFailure, SaveMenu, SaveProgress } from '#renderer/editor/save/save.tsx';
import type { SaveKind } from '#renderer/editor/save/show-saved.tsx';
import { isCover } from '#renderer/editor/tools/tools.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { textQuery } from '#renderer/images/text/picture-text.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { loadedLimits } from '#renderer/upload/limits.ts';
import { randomKey, sendForm, sendReplacement } from '#renderer/upload/queue/send-form.ts';
import type { Progress } from '#renderer/upload/queue/types.ts';
import type { ReadText } from './cover-text/cover-text.tsx';
import classes from './editor.module.css';
import { useShowSaved } from './save/show-saved.tsx';
import { useEditorTexts } from './texts.ts';
import { Workspace, WorkspaceFrame } from './workspace.tsx';

interface Props {
  image: Image;
  onClose: () => void;
  /** Called with the saved picture: a copy, or the image itself with another file. */
  onSaved: (image: Image) => void;
}

/** The window-filling dialog in which a picture is edited. Brings its texts, which nothing else has to load. */
export function Editor(props: Props) {
  useEditorTexts();
  const { t } = useTranslation('editor');
  const { source, error, retry } = useSource(props.image);
  return (
    <Modal.Root opened onClose={props.onClose} fullScreen closeOnEscape={false} transitionProps={{ transition: 'fade', duration: 120 }}>
      <Modal.Overlay backgroundOpacity={1} color="var(--pd-ground)" />
      <Modal.Content className={classes.content} radius={0} aria-label={t('title')}>
        {source ? (
          <Editing {...props} source={source} />
        ) : (
          <WorkspaceFrame title={props.image.title || props.image.name} name={props.image.name} onClose={props.onClose}>
            <div className={classes.message}>
              {error === undefined ? <Loader aria-label={t('loading')} /> : <Obstacle error={error} onRetry={retry} />}
            </div>
          </WorkspaceFrame>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function Obstacle({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('editor');
  const explain = useExplain();
  if (!(error instanceof NotEditableError)) return <ErrorNotice explanation={explain(error)} onRetry={onRetry} />;
  return <EmptyState order={3} art={null} title={t(`obstacle.${error.obstacle}.title`)} text={t(`obstacle.${error.obstacle}.text`)} />;
}

function Editing({ image, source, onClose, onSaved }: Props & { source: Source }) {
  const [edit] = useState(() => new Edit());
  const drawing = useDrawing(edit);
  const changed = !isUnchanged(drawing);
  const [saved, setSaved] = useState<Image>();
  // Only after the question about unsaved changes has been withdrawn, and once: closing goes back in the history.
  const leave = useEffectEvent(onSaved);
  useEffect(() => {
    if (saved) leave(saved);
  }, [saved]);
  const saving = useSave({ image, source, onSaved: setSaved });
  const isBusy = saving.saving !== undefined;
  const readText = useReadText(image);
  const [asksHow, setAsksHow] = useState(false);
  const save = (kind: SaveKind) => void saving.save(kind, edit.drawing);
  return (
    <Workspace
      source={source}
      edit={edit}
      readText={readText}
      title={image.title || image.name}
      name={image.name}
      isBusy={isBusy}
      onClose={onClose}
      onSave={() => setAsksHow(changed)}
      actions={
        <SaveMenu
          image={image}
          covers={drawing.marks.some(isCover)}
          disabled={!changed}
          busy={isBusy}
          opened={asksHow}
          onChange={setAsksHow}
          onSave={save}
        />
      }
      notice={saving.failure && <SaveFailure {...saving.failure} onRetry={save} />}
    >
      {saving.saving && <SaveProgress progress={saving.saving.progress} onCancel={saving.cancel} />}
      <Unsaved when={changed && !saved} everywhere />
    </Workspace>
  );
}

/** Reads the text that the server has recognised in a picture; undefined where it recognises none. */
function useReadText({ key }: Pick<Image, 'key'>): ReadText | undefined {
  const { t } = useTranslation('editor');
  const queryClient = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const read = useCallback<ReadText>(async () => {
    const { status, lines } = await queryClient.fetchQuery(textQuery(key));
    if (status === 'waiting') throw new NotReadError(t('coverText.waiting'));
    return lines;
  }, [queryClient, key, t]);
  return config?.ocr_enabled ? read : undefined;
}

/** The text isn't there yet; the message is a sentence for users. */
class NotReadError extends Error {
  override name = 'NotReadError';
}

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
function useSave({ image, source, onSaved }: Options) {
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
    if (kind === 'replace') return sendReplacement(image.key, { file, name: renamed(image.name, ext), idempotencyKey }, options);
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
