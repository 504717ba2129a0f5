import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#api/auth/user.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import { profileQuery } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';

/** Whether text in the user's pictures is recognised, where the server does that. */
export function TextSetting({ profile }: { profile: Profile }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const { data: config } = useQuery(configQuery);
  const change = useMutation({
    mutationFn: (recognize_text: boolean) => client.call('PATCH /user', { body: { recognize_text } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(profileQuery.queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['images', 'text'] });
    },
    onError: (error) => notifyError(error),
  });
  if (!config?.ocr_enabled) return null;
  const checked = change.isPending ? change.variables : profile.recognize_text;
  return (
    <Setting title={t('uploads.text')} hint={t('uploads.textHint')}>
      {(label) => (
        <Switch aria-labelledby={label} size="md" checked={checked} onChange={(event) => change.mutate(event.currentTarget.checked)} />
      )}
    </Setting>
  );
}
