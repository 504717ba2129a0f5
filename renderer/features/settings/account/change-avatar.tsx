import { Button, FileButton, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '#api/auth/auth.ts';
import { MAX_AVATAR_BYTES } from '#api/constants.ts';
import { acceptedFor } from '#api/formats.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { sessionQuery } from '#renderer/service/queries.ts';

/** Sends the new avatar; null removes it. */
async function save(file: File | null): Promise<{ avatar_url: string | null }> {
  if (!file) return client.call('DELETE /user/avatar', {});
  if (file.size > MAX_AVATAR_BYTES) throw new LocalRefusal({ code: 'file_too_large', max_bytes: MAX_AVATAR_BYTES });
  const form = new FormData();
  form.append('file', file);
  return client.send('PUT /user/avatar', form);
}

/** @param label the id of the setting's title */
export function ChangeAvatar({ user, label }: { user: User; label: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const change = useMutation({
    mutationFn: save,
    onSuccess: ({ avatar_url }) => {
      queryClient.setQueryData(sessionQuery.queryKey, { user: { ...user, avatar_url } });
      void queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
      notifications.show({ color: 'petrol.7', message: t('profile.saved'), autoClose: 3500 });
    },
    onError: (error) => notifyError(error),
  });
  return (
    <Group gap="md" role="group" aria-labelledby={label}>
      <Avatar user={user} size={64} />
      <Group gap="xs">
        <FileButton accept={acceptedFor('avatar')} onChange={(file) => file && change.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              aria-label={format.labelled(t('profile.edit'), t('avatar.title'))}
              loading={change.isPending && change.variables !== null}
            >
              {t('profile.edit')}
            </Button>
          )}
        </FileButton>
        {user.avatar_url && (
          <Button
            variant="default"
            size="xs"
            aria-label={format.labelled(t('passkeys.remove'), t('avatar.title'))}
            loading={change.isPending && change.variables === null}
            onClick={() => change.mutate(null)}
          >
            {t('passkeys.remove')}
          </Button>
        )}
      </Group>
    </Group>
  );
}
