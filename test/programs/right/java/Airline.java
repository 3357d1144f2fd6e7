/*
 * An airline sells the seats of a plane at several desks.
 * Right: a desk looks and sells in one step.
 */
public class Airline {
  static final int SEATS = 5;

  static class Flight {
    private int sold;
    private boolean open = true;

    synchronized boolean sell() {
      if (!open) return false;
      sold = sold + 1;
      if (sold >= SEATS) open = false;
      return true;
    }
  }

  static class Desk implements Runnable {
    private final Flight flight;
    int tickets;

    Desk(Flight flight) {
      this.flight = flight;
    }

    @Override
    public void run() {
      while (flight.sell()) tickets++;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Flight flight = new Flight();
    Desk[] desks = new Desk[3];
    Thread[] threads = new Thread[desks.length];
    for (int i = 0; i < desks.length; i++) {
      desks[i] = new Desk(flight);
      threads[i] = new Thread(desks[i], "desk " + i);
      threads[i].start();
    }
    int tickets = 0;
    for (int i = 0; i < desks.length; i++) {
      threads[i].join();
      tickets += desks[i].tickets;
    }
    if (tickets > SEATS) throw new IllegalStateException(tickets + " tickets for " + SEATS + " seats");
    System.out.println(tickets + " tickets.");
  }
}
