import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { type AskedExpiry, askedExpiry, expiryProblem } from '#renderer/components/forms/expiries.ts';
import { ExpiryField } from '#renderer/components/forms/expiry-field.tsx';
import { useExpiryChoices, useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchTarget, only, useBatch } from '#renderer/images/list/batch.ts';
import { countSet } from '#renderer/images/list/count.ts';
import { LIST_KEY } from '#renderer/images/list/list.ts';
import { rememberUndo } from '#renderer/images/list/undo.tsx';
import { useOfferVersionUndo } from '#renderer/images/list/versions.ts';
import { TRASH } from '#renderer/images/list/view.ts';
import { type TrashChange, useChangeTrash } from './change-trash.ts';

/** Something to restore, some of which has expired. */
interface Asked {
  target: BatchTarget;
  count: number;
  expired: number;
  after: () => void;
}

type Options = Pick<TrashChange, 'expiry' | 'withRemoved'>;

/** A version is restored only alone: it shows others again what has been replaced. */
const versionIn = ({ images, sets }: BatchTarget) =>
  sets.length === 0 && images.length === 1 ? images.find(({ version_of }) => version_of !== null) : undefined;

const nothing = (): void => undefined;

const isOver = ({ expires_at }: Image) => expires_at !== null && Date.parse(expires_at) <= Date.now();

/** The actions of the trash, with their questions and notices. `after` is called as soon as an action begins. */
export function useTrashActions() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const notice = useNotice();
  const { mutate } = useChangeTrash();
  const runBatch = useBatch();
  const offerVersionUndo = useOfferVersionUndo();
  const [asked, setAsked] = useState<Asked>();

  const sayFinal = (reason: 'trash.purgeFinal' | 'trash.restoreFinal') => notice.show({ title: t(reason), message: undefined });
  /** Moves what was restored back to the trash. Expired pictures have another expiry, and previous versions aren’t what they were. */
  const takeBack = (target: BatchTarget, version: Image | undefined) => {
    if (target.sets.length > 0 || version || target.images.some(isOver)) return sayFinal('trash.restoreFinal');
    void runBatch({ target, change: { action: 'trash' } }).then(({ processed, refused, error }) => {
      if (refused) notifyError(error, t('library.trashFailed', { count: refused }));
      if (processed)
        notice.show({ title: t('library.trashed', { count: processed, formatted: format.number(processed) }), message: undefined });
      void queryClient.invalidateQueries({ queryKey: LIST_KEY });
    });
  };

  const run = (action: 'restore' | 'purge', target: BatchTarget, { expiry, withRemoved }: Options = {}) => {
    if (target.sets.length > 0) notice.wait(t(action === 'restore' ? 'selection.restoring' : 'trash.purging'));
    const version = action === 'restore' ? versionIn(target) : undefined;
    mutate(
      { action, target, expiry, withRemoved, version },
      {
        onError: (error) => {
          notice.hide();
          notifyError(error);
        },
        onSuccess: ({ processed, refused, leftOut, versions, picture }) => {
          notice.hide();
          if (refused)
            notifyError(undefined, t(action === 'restore' ? 'library.restoreFailed' : 'library.purgeFailed', { count: refused }));
          const left = joinSentences(
            leftOut > 0 ? t('trash.leftOut', { count: leftOut, formatted: format.number(leftOut) }) : '',
            versions > 0 ? t('versions.leftOut', { count: versions, formatted: format.number(versions) }) : '',
          );
          if (!processed && !left) return;
          if (version?.version_of && picture === 'library') {
            const isBefore = ({ key }: Pick<Image, 'key'>) => key === version.key;
            const texts = { title: t('versions.restored'), text: t('versions.restoredText') };
            return offerVersionUndo({ ...texts, key: version.version_of, isBefore });
          }
          const restored = version && !picture ? 'versions.apart' : 'trash.restored';
          const title = t(action === 'restore' ? restored : 'trash.purged', { count: processed, formatted: format.number(processed) });
          notice.show({ title: processed ? title : left, message: processed && left ? left : undefined, autoClose: left ? 10_000 : 3000 });
          if (!processed) return;
          // The deletion before it is over, so Ctrl+Z must not undo that.
          if (action === 'restore' && !left) rememberUndo(() => takeBack(target, version));
          else if (action === 'restore') rememberUndo(() => sayFinal('trash.restoreFinal'));
          else rememberUndo(() => sayFinal('trash.purgeFinal'));
        },
      },
    );
  };

  const restore = (target: BatchTarget, after = nothing) => {
    const count = amountOf(target);
    const inSets = target.sets.reduce((sum, { expired = 0 }) => sum + expired, 0);
    const expired = inSets + target.images.filter(isOver).length - target.except.filter(isOver).length;
    const [image] = target.images;
    if (count === 1 && image?.removed_by_sender) return restoreRemoved(target, after);
    // Those that have expired are restored once their owner has chosen until when.
    if (expired > 0) return setAsked({ target, count, expired, after });
    after();
    run('restore', target);
  };

  /** A sender has taken the picture back: it's restored only alone, and once its owner has been asked. */
  const restoreRemoved = (target: BatchTarget, after: () => void) =>
    modals.openConfirmModal({
      title: t('trash.restoreRemovedTitle'),
      children: <Text size="sm">{t('trash.restoreRemovedText')}</Text>,
      labels: { confirm: t('trash.restore'), cancel: t('common.cancel') },
      onConfirm: () => {
        after();
        run('restore', target, { withRemoved: true });
      },
    });

  const purge = (target: BatchTarget, after = nothing, isEverything = false) => {
    const count = amountOf(target);
    const amount = { count, formatted: format.number(count) };
    modals.openConfirmModal({
      title: isEverything ? t('trash.emptyTitle') : t('trash.purgeTitle', amount),
      children: <Text size="sm">{t(isEverything ? 'trash.emptyText' : 'trash.purgeText', amount)}</Text>,
      labels: { confirm: t(isEverything ? 'trash.empty' : 'trash.purge'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => {
        after();
        run('purge', target);
      },
    });
  };

  /** Everything in the trash at this moment. */
  const withAll = (act: (target: BatchTarget) => void) =>
    void countSet(queryClient, TRASH)
      .then((set) => act({ ...only([]), sets: [set] }))
      .catch(notifyError);

  return {
    restore,
    purge,
    restoreAll: (after: () => void) => withAll((target) => restore(target, after)),
    empty: (after: () => void) => withAll((target) => purge(target, after, true)),
    question: asked && (
      <RestoreDialog
        {...asked}
        onClose={() => setAsked(undefined)}
        onRestore={(expiry) => {
          setAsked(undefined);
          asked.after();
          run('restore', asked.target, { expiry });
        }}
      />
    ),
  };
}

interface Props {
  /** The number of images to restore, and how many of them have expired. */
  count: number;
  expired: number;
  onClose: () => void;
  /** Called with when they expire again. */
  onRestore: (expiry: AskedExpiry) => void;
}

/** Asks until when restored images should be open, since their links work again for everyone who has them. */
function RestoreDialog({ count, expired, onClose, onRestore }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useExpiryChoices();
  const max = useMaxExpiry();
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? choices[0]?.value ?? '0';
  const asked = expiryProblem(value, max) ? undefined : askedExpiry(value);
  return (
    <Modal opened onClose={onClose} title={t('trash.restoreTitle', { count, formatted: format.number(count) })}>
      <Stack>
        <Text size="sm">
          {t(expired < count ? 'trash.restoreSome' : 'trash.restoreExpired', { count: expired, formatted: format.number(expired) })}
        </Text>
        <ExpiryField
          label={t('details.expires')}
          fields={{ 'data-autofocus': true }}
          choices={choices}
          value={value}
          max={max}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={!asked} onClick={() => asked && onRestore(asked)}>
            {t('trash.restore')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
