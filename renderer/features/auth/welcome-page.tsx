import { useBrand } from '#renderer/components/layout/brand.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button, ButtonLink } from '#renderer/plain/button.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

const DOWNLOADS = 'https://github.com/pixdock/pixdock/releases';

/** What a new user can do next: use the browser, the desktop app, or a phone. */
export function WelcomePage({ onEnter }: { onEnter: () => void }) {
  const { t } = useTranslation();
  const { site_name } = useBrand();
  const title = t('welcome.title', { site: site_name });
  usePageTitle(title);
  return (
    <AuthFrame title={title} intro={t('welcome.intro')}>
      <div className={classes.fields}>
        <Button size="md" onClick={onEnter} autoFocus>
          {t('welcome.browser')}
        </Button>
        {isTouch() ? (
          <section className={classes.next}>
            <h2>{t('welcome.phone')}</h2>
            <p>{t('welcome.homeScreen')}</p>
            <p>{t('welcome.shareSheet')}</p>
          </section>
        ) : (
          <>
            <section className={classes.next}>
              <h2>{t('welcome.desktop')}</h2>
              <p>{t('welcome.desktopText')}</p>
              <ButtonLink variant="default" href={`pixdock://join?address=${encodeURIComponent(location.origin)}`}>
                {t('welcome.join')}
              </ButtonLink>
              <p>
                {t('welcome.notInstalled')}{' '}
                <a href={DOWNLOADS} target="_blank" rel="noreferrer">
                  {t('welcome.download')}
                </a>
              </p>
            </section>
            <section className={classes.next}>
              <h2>{t('welcome.phone')}</h2>
              <p>{t('welcome.fromComputer')}</p>
            </section>
          </>
        )}
      </div>
    </AuthFrame>
  );
}
