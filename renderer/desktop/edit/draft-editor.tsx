import { Alert } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft } from '#api/desktop/drafts.ts';
import type { KeyGroup } from '#renderer/components/keys-dialog.tsx';
import { Edit, useDrawing } from '#renderer/editor/edit.ts';
import editorClasses from '#renderer/editor/editor.module.css';
import { EditorHelp } from '#renderer/editor/editor-help.tsx';
import { HistoryButtons } from '#renderer/editor/history-buttons.tsx';
import { type Drawing, isUnchanged, readDrawing } from '#renderer/editor/marks/drawing.ts';
import { Options } from '#renderer/editor/options.tsx';
import { outputFormats } from '#renderer/editor/picture/output.ts';
import { drawResult, encode } from '#renderer/editor/picture/render.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import { Stage } from '#renderer/editor/stage/stage.tsx';
import { Toolbar } from '#renderer/editor/toolbar.tsx';
import { type Editor, useEditor } from '#renderer/editor/use-editor.ts';
import { useEditorKeys } from '#renderer/editor/use-keys.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isTyping } from '#renderer/images/typing.ts';
import { DraftBar } from './draft-bar.tsx';
import { useDraftActions } from './use-actions.ts';
import { useKeptMarks } from './use-draft.ts';

interface Props {
  bridge: DesktopBridge;
  draft: Draft;
  source: Source;
}

/** A draft with the tools of the editor. */
export function DraftEditor({ bridge, draft, source }: Props) {
  const { t } = useTranslation('edit');
  const [edit] = useState(() => new Edit(readDrawing(draft.marks)));
  const drawing = useDrawing(edit);
  const editor = useEditor(edit, source.size);
  const { failed } = useKeptMarks(bridge, draft.id, drawing, writeDrawing);
  const read = useCallback(() => bridge.readDraftText(draft.id), [bridge, draft.id]);
  const readText = draft.readsText ? read : undefined;
  const [exported, setExported] = useState<Drawing>();
  const actions = useDraftActions({
    bridge,
    draft,
    draw: (kind) => drawn(kind, { source, drawing, name: draft.name }),
    onExported: () => setExported(drawing),
  });
  useEnter(editor, actions.busy !== undefined, actions.send);
  const [help, { open: onHelp, close: closeHelp }] = useDisclosure();
  useEditorKeys(editor, {
    isBusy: actions.busy !== undefined,
    onClose: actions.close,
    onHelp,
    onSave: actions.save,
    onCopy: actions.copy,
    ...(draft.canPin && { onPin: actions.pin }),
  });
  return (
    <main className={editorClasses.editor} data-editor>
      <DraftBar draft={draft} actions={actions} isDrawn={!isUnchanged(drawing) && drawing !== exported}>
        <HistoryButtons editor={editor} />
      </DraftBar>
      <Toolbar editor={editor} />
      <Stage source={source} editor={editor} />
      <div className={editorClasses.foot} data-keeps-text>
        {failed && (
          <Alert color="red" role="alert" m="xs" p="xs">
            {t('notSaved')}
          </Alert>
        )}
        <Options editor={editor} readText={readText} />
      </div>
      {help && <EditorHelp onClose={closeHelp} more={draftKeys(t, draft.canPin)} />}
    </main>
  );
}

const writeDrawing = (drawing: Drawing) => (isUnchanged(drawing) ? null : JSON.stringify(drawing));

/** The keys that only this window has. */
const draftKeys = (t: TFunction<'edit'>, canPin: boolean): KeyGroup => ({
  title: t('keys'),
  items: [
    { keys: [['Enter']], label: t('send') },
    { keys: [['Mod', 'S']], label: t('save') },
    { keys: [['Mod', 'C']], label: t('copy') },
    ...(canPin ? [{ keys: [['Mod', 'P']], label: t('pin') }] : []),
    { keys: [['Esc']], label: t('close') },
  ],
});

interface Parts {
  source: Source;
  drawing: Drawing;
  name: string;
}

/** The picture with everything on it; null for the file itself. */
async function drawn(kind: 'own' | 'png', { source, drawing, name }: Parts) {
  if (kind === 'own' && isUnchanged(drawing)) return null;
  const ext = kind === 'png' ? 'png' : (/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? 'png');
  const canvas = drawResult(source, drawing);
  const size = { width: canvas.width, height: canvas.height };
  const { blob, format } = await encode(canvas, outputFormats(ext, source.isTransparent, undefined));
  // Browsers keep the memory of a canvas until it is empty.
  canvas.width = 0;
  return { bytes: new Uint8Array(await blob.arrayBuffer()), ext: format.ext, size };
}

/** Enter sends, unless it means something where the focus is. On the stage it adds shapes for those who reached it with the keyboard. */
function useEnter({ tool, chosen, cropping }: Editor, isBusy: boolean, send: () => void) {
  // Chromium's :focus-visible changes with the key itself.
  const hasTabbed = useRef(false);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') hasTabbed.current = true;
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key !== 'Enter' || event.isComposing || isBusy || altKey || shiftKey || !(target instanceof Element)) return;
    if (document.querySelector('[role="dialog"]')) return;
    const isAnyway = ctrlKey || metaKey;
    const adds = hasTabbed.current && target.matches('[role="application"]') && (tool !== 'select' || chosen?.kind === 'text');
    // A text that is being written ends with Ctrl and Enter, as in the web application.
    if (isTyping(target) || (!isAnyway && (cropping || adds || target.closest('button, a')))) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    const point = () => {
      hasTabbed.current = false;
    };
    // Before the stage.
    document.addEventListener('keydown', listen, { capture: true });
    document.addEventListener('pointerdown', point, { capture: true });
    return () => {
      document.removeEventListener('keydown', listen, { capture: true });
      document.removeEventListener('pointerdown', point, { capture: true });
    };
  }, []);
}
