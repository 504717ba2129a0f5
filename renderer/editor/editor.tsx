import { ActionIcon, Loader, Modal } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Covers } from '#renderer/editor/picture/covers.ts';
import { isCover } from '#renderer/editor/picture/render.ts';
import { NotEditableError, type Source, useSource } from '#renderer/editor/picture/source.ts';
import { SaveFailure, SaveMenu, SaveProgress } from '#renderer/editor/save/save.tsx';
import { useSave } from '#renderer/editor/save/use-save.ts';
import { Stage } from '#renderer/editor/stage/stage.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './editor.module.css';
import { Options } from './options.tsx';
import { useEditorTexts } from './texts.ts';
import { Toolbar } from './toolbar.tsx';
import { useEditor } from './use-editor.ts';
import { useEditorKeys } from './use-keys.ts';

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
          <Frame image={props.image} onClose={props.onClose}>
            <div className={classes.message}>
              {error === undefined ? <Loader aria-label={t('loading')} /> : <Obstacle error={error} onRetry={retry} />}
            </div>
          </Frame>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

interface FrameProps {
  image: Image;
  onClose: () => void;
  /** Buttons of the bar. */
  actions?: ReactNode;
  children: ReactNode;
}

function Frame({ image, onClose, actions, children }: FrameProps) {
  const { t } = useTranslation('editor');
  return (
    <div className={classes.editor} data-editor>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="xl"
          radius="xl"
          aria-label={t('back')}
          title={t('back')}
          onClick={onClose}
          data-autofocus
        >
          <IconArrowLeft size={22} />
        </ActionIcon>
        <h2 className={classes.name} title={image.name}>
          {image.title || image.name}
        </h2>
        {actions}
      </header>
      {children}
    </div>
  );
}

function Obstacle({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('editor');
  const explain = useExplain();
  if (!(error instanceof NotEditableError)) return <ErrorNotice explanation={explain(error)} onRetry={onRetry} />;
  return <EmptyState order={3} art={null} title={t(`obstacle.${error.obstacle}.title`)} text={t(`obstacle.${error.obstacle}.text`)} />;
}

function Editing({ image, source, onClose, onSaved }: Props & { source: Source }) {
  const { t } = useTranslation('editor');
  const covers = useMemo(() => new Covers(source.pixels, source.size), [source]);
  const editor = useEditor(source.size);
  const [saved, setSaved] = useState<Image>();
  // Only after the question about unsaved changes has been withdrawn, and once: closing goes back in the history.
  const leave = useEffectEvent(onSaved);
  useEffect(() => {
    if (saved) leave(saved);
  }, [saved]);
  const saving = useSave({ image, source, covers, onSaved: setSaved });
  useEditorKeys(editor, saving.saving !== undefined, onClose);
  const history = { variant: 'subtle', color: 'gray', size: 'xl', radius: 'xl' } as const;
  return (
    <Frame
      image={image}
      onClose={onClose}
      actions={
        <>
          <ActionIcon {...history} aria-label={t('undo')} title={t('undo')} disabled={!editor.canUndo} onClick={editor.undo}>
            <IconArrowBackUp size={22} />
          </ActionIcon>
          <ActionIcon {...history} aria-label={t('redo')} title={t('redo')} disabled={!editor.canRedo} onClick={editor.redo}>
            <IconArrowForwardUp size={22} />
          </ActionIcon>
          <SaveMenu
            image={image}
            covers={editor.drawingToSave.marks.some(isCover)}
            disabled={!editor.changed}
            busy={saving.saving !== undefined}
            onSave={(kind) => void saving.save(kind, editor.drawingToSave)}
          />
        </>
      }
    >
      <Toolbar editor={editor} />
      <Stage source={source} covers={covers} editor={editor} />
      <div className={classes.foot} data-keeps-text>
        {saving.failure && <SaveFailure {...saving.failure} onRetry={(kind) => void saving.save(kind, editor.drawingToSave)} />}
        <Options editor={editor} />
      </div>
      {saving.saving && <SaveProgress progress={saving.saving.progress} onCancel={saving.cancel} />}
      <Unsaved when={editor.changed && !saved} everywhere />
    </Frame>
  );
}
