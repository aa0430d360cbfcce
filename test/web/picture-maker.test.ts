import { WorkerBusyError } from '../../src/lib/idle-worker.ts';
import { PictureMaker } from '../../src/web/picture/picture-maker.ts';
import { frameOf } from '../../src/web/picture/picture-svg.ts';

const FRAME = frameOf(null);
/** A busy machine may take long to start a thread from source. */
const TIMEOUT_MS = 100_000;

describe('the picture maker', () => {
  it('draws several concurrently, refuses too many, and then draws again', async () => {
    const maker = new PictureMaker(TIMEOUT_MS);
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => maker.draw(FRAME, [])));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const one of refused) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(WorkerBusyError);
    const png = await maker.draw(FRAME, [{ latitude: 0, longitude: 0, count: 3 }]);
    expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
    await maker.close();
  });

  it('fails a picture that takes too long', async () => {
    const maker = new PictureMaker(1);
    await expect(maker.draw(FRAME, [])).rejects.toThrow('The thread "pictures" timed out.');
    await maker.close();
  });

  it('rejects pending pictures when closed, and reports errors of drawing', async () => {
    const maker = new PictureMaker(TIMEOUT_MS);
    const waiting = maker.draw(FRAME, []);
    await Promise.all([maker.close(), expect(waiting).rejects.toThrow('The server is shutting down.')]);
    // An invalid frame: the thread reports the error and continues.
    await expect(maker.draw(null as never, [])).rejects.toThrow('TypeError');
    await maker.draw(FRAME, []);
    await maker.close();
  });
});
