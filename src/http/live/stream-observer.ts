/** Who is told of subscriptions. */

export interface StreamObserver {
  /** @param by 1 for one that begins, -1 for one that ends */
  observeSubscription(by: 1 | -1): void;
  observeChangeSent(): void;
}
