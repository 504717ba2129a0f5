import { Button, Menu, Progress } from '@mantine/core';
import { IconChevronDown, IconCopyPlus, IconReplace } from '@tabler/icons-react';
import { TRASH_DAYS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import classes from '#renderer/editor/editor.module.css';
import { NotEditableError } from '#renderer/editor/picture/source.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { withCommand } from '#renderer/platform/clipboard.ts';
import { useExplain } from '#renderer/service/explain.ts';
import type { Progress as Sent } from '#renderer/upload/queue/types.ts';
import type { SaveKind } from './show-saved.tsx';

interface MenuProps {
  image: Image;
  /** Something is blurred or pixelated, which the original would still show. */
  covers: boolean;
  disabled: boolean;
  busy: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
  onSave: (kind: SaveKind) => void;
}

/** The two ways to save, each with what it does. */
export function SaveMenu({ image, covers, disabled, busy, opened, onChange, onSave }: MenuProps) {
  const { t } = useTranslation('editor');
  return (
    <Menu position="bottom-end" width={340} disabled={disabled || busy} opened={opened} onChange={onChange}>
      <Menu.Target>
        <Button
          disabled={disabled}
          loading={busy}
          title={`${t('save')} (${withCommand('S')})`}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          className={classes.save}
        >
          {t('save')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopyPlus size={20} stroke={1.7} aria-hidden />} onClick={() => onSave('copy')}>
          <span className={classes.way}>{t('saveCopy')}</span>
          <span className={classes.wayHint}>{t(image.has_password ? 'saveCopyPrivate' : 'saveCopyHint')}</span>
          {covers && image.visibility === 'public' && <strong className={classes.wayHint}>{t('saveCopyCovers')}</strong>}
        </Menu.Item>
        <Menu.Item leftSection={<IconReplace size={20} stroke={1.7} aria-hidden />} onClick={() => onSave('replace')}>
          <span className={classes.way}>{t('replace')}</span>
          <span className={classes.wayHint}>{t('replaceHint', { count: TRASH_DAYS })}</span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Covers the editor while a picture is saved. */
export function SaveProgress({ progress, onCancel }: { progress: Sent | undefined; onCancel: () => void }) {
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const format = useFormat();
  const share = progress ? progress.sent / Math.max(1, progress.total) : 0;
  const line = progress ? t('sending', { percent: format.percent(share) }) : t('preparing');
  return (
    <div className={classes.cover}>
      <div className={classes.card} role="status">
        <p>{line}</p>
        <Progress value={progress ? share * 100 : 100} animated={!progress || share === 1} aria-label={line} />
        {progress && (
          <Button variant="default" size="xs" onClick={onCancel}>
            {common('common.cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Why the picture couldn't be saved, with a way to try again. */
export function SaveFailure({ kind, error, onRetry }: { kind: SaveKind; error: unknown; onRetry: (kind: SaveKind) => void }) {
  const { t } = useTranslation('editor');
  const explain = useExplain();
  const { what, next } =
    error instanceof NotEditableError
      ? { what: t(`obstacle.${error.obstacle}.title`), next: t(`obstacle.${error.obstacle}.text`) }
      : explain(error);
  return (
    <div className={classes.failure}>
      <ErrorNotice explanation={{ what: t('failed'), next: joinSentences(what, next, t('keptHint')) }} onRetry={() => onRetry(kind)} />
    </div>
  );
}
