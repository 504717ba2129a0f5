import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { textQuery, useText, wholeText } from '#renderer/images/text/picture-text.ts';
import { client } from '#renderer/service/client.ts';
import classes from './viewer.module.css';

/** The text in an image; nothing where there is none. */
export function TextPart({ image }: { image: Image }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const text = useText(image);
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /images/:key/text', { params: { key: image.key } }),
    onSuccess: () => notifications.show({ color: 'petrol.7', message: t('text.removed'), autoClose: 4000 }),
    onError: (error) => notifyError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: textQuery(image.key).queryKey }),
  });
  if (!text || text.status === 'none') return null;
  return (
    <>
      <h3>{t('text.title')}</h3>
      {text.status === 'done' ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <section className={classes.text} lang={text.language ?? undefined} tabIndex={0} aria-label={t('text.title')}>
            {wholeText(text.lines)}
          </section>
          <Group gap="xs" mb="xl">
            <CopyButton wide text={wholeText(text.lines)} label={t('text.copyAll')} words={t('text.copyAll')} />
            <Button size="compact-sm" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('text.remove')}
            </Button>
          </Group>
        </>
      ) : (
        <p className={classes.textNote}>{t(text.status === 'waiting' ? 'text.waiting' : 'text.failed')}</p>
      )}
    </>
  );
}
