// expects: order-violation, data-race, atomicity
// bug: com/google/gson/Gson.java:1329
// bug: com/google/gson/Gson.java:1333
import com.google.gson.Gson;

/** https://github.com/google/gson/issues/1829: a type that refers to itself by another one, read by two threads for the first time. 2.10, right since 2.10.1. */
public class GsonCyclic {
  static class Order {
    String name;
    Customer customer;
  }

  static class Customer {
    String name;
    Order last;
  }

  public static void main(String[] args) throws Exception {
    Gson gson = new Gson();
    Thread orders = new Thread(() -> {
      Order order = gson.fromJson("{\"name\":\"o\",\"customer\":{\"name\":\"c\"}}", Order.class);
      if (!order.customer.name.equals("c")) throw new IllegalStateException("another customer");
    });
    Thread customers = new Thread(() -> {
      Customer customer = gson.fromJson("{\"name\":\"c\",\"last\":{\"name\":\"o\"}}", Customer.class);
      if (!customer.last.name.equals("o")) throw new IllegalStateException("another order");
    });
    orders.start();
    customers.start();
    orders.join();
    customers.join();
  }
}
